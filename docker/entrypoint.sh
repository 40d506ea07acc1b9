#!/bin/sh
# What a container of the image runs: web, worker, preparer, dispatcher or beat; anything else is a command of manage.py, such as migrate.
set -eu

case "${1:-web}" in
    web)
        # Each of the server's processes counts for itself; the folder is where they are added up.
        PROMETHEUS_MULTIPROC_DIR=$(mktemp -d)
        export PROMETHEUS_MULTIPROC_DIR
        # Fewer threads a process than its pool has connections, so that none waits for one.
        exec granian --interface wsgi --host 0.0.0.0 --port "${PORT:-8000}" \
            --workers 2 --blocking-threads 4 --respawn-failed-workers --workers-max-rss 2048 \
            --log-level warning config.wsgi:application
        ;;
    worker)
        exec celery --quiet -A config.celery worker --queues celery \
            --concurrency 2 --prefetch-multiplier 1 --without-mingle --without-gossip
        ;;
    preparer)
        # Jobs of backends, which are not to wait for syncs, nor syncs for them.
        exec celery --quiet -A config.celery worker --queues jobs \
            --concurrency 2 --prefetch-multiplier 1 --without-mingle --without-gossip
        ;;
    dispatcher)
        # Webhooks mostly wait for receivers, so that threads of one process will do.
        exec celery --quiet -A config.celery worker --queues webhooks \
            --pool threads --concurrency 4 --prefetch-multiplier 1 --without-mingle --without-gossip
        ;;
    beat)
        # One of it; its file only saves waiting after a restart.
        exec celery --quiet -A config.celery beat --pidfile= --schedule "${DATA_DIR:-/var/lib/mawrid}/beat"
        ;;
    *)
        exec python manage.py "$@"
        ;;
esac
