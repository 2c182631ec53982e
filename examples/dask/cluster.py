"""A study on a Dask cluster that this program starts.  usage: cluster.py local|slurm STUDY [RESULTS]"""

import sys

import sanvp


def local():
    """Processes of this computer."""
    from distributed import LocalCluster

    return LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)


def slurm():
    """Jobs of Slurm with a worker each; options are those of your site."""
    from dask_jobqueue import SLURMCluster

    cluster = SLURMCluster(queue="short", cores=1, memory="2GB", walltime="01:00:00", interface="lo")
    cluster.scale(2)
    return cluster


if __name__ == "__main__":  # Dask's processes import this file
    with {"local": local, "slurm": slurm}[sys.argv[1]]() as cluster:
        results = sys.argv[3] if len(sys.argv) > 3 else None
        study = sanvp.study(sys.argv[2], scheduler=cluster.scheduler_address, results=results)
        for run in study.runs:
            print(f"{run}: {len(study.points(run))} points")
