/* Forces between pairs of atoms, as molecular dynamics computes them. */
enum { atoms = 96 };
static double x[atoms][3], force[atoms][3];

double kernel(int turns) {
  double energy = 0;
  for (int i = 0; i < atoms; ++i) {
    for (int k = 0; k < 3; ++k) x[i][k] = (i * (7 + 5 * k)) % 31 * 0.3 + 0.01 * i;
  }
  for (int turn = 0; turn < turns * 8; ++turn) {
    for (int i = 0; i < atoms; ++i) {
      for (int j = i + 1; j < atoms; ++j) {
        double d[3], square = 0;
        for (int k = 0; k < 3; ++k) {
          d[k] = x[i][k] - x[j][k];
          square += d[k] * d[k];
        }
        if (square > 9.0) continue;
        const double inverse = 1.0 / (square + 0.1), sixth = inverse * inverse * inverse;
        const double strength = (48.0 * sixth - 24.0) * sixth * inverse;
        energy += 4.0 * (sixth - 1.0) * sixth;
        for (int k = 0; k < 3; ++k) {
          force[i][k] += strength * d[k];
          force[j][k] -= strength * d[k];
        }
      }
    }
  }
  return energy + force[3][1];
}
