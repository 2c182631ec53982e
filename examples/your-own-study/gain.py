"""What is a faster bus worth to the ring?"""

import sanvp

study = sanvp.study("claims.yaml", quick=True)
print(study.value("gain").round(2))
print(study.verdicts[["measured", "verdict"]].round(2).to_string(index=False))

slow = sanvp.run("qsnet-16", "./ring", 65536, np=4)
print(slow.jobs[["ranks", "computing_ns", "waiting_ns"]].round(0))
