/** The commands that bring a Redis to a machine on which SyncHub could not get one by itself; one a line, to paste. */
export const MANUAL_STEPS = `Install Redis 7.0 or newer, then start again:
  Debian, Ubuntu:  sudo apt-get update && sudo apt-get install -y redis-server
  macOS:           brew install redis
or let SyncHub use one that runs elsewhere:
  Docker:          docker run -d --name synchub-redis -p 127.0.0.1:6379:6379 redis:7 redis-server --appendonly yes --maxmemory-policy noeviction
                   REDIS_URL=redis://127.0.0.1:6379 npm start`
