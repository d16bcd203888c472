/** What `npm start -- --help` prints. */
export const USAGE = `SyncHub: hub, dispatcher, reference agents and their Redis, on this machine.

  npm start                     start everything and play a short demonstration
  npm start -- --no-demo        start without the demonstration
  npm start -- --help           print this

Environment:
  PORT, HOST                    where the hub listens (4000, 127.0.0.1)
  REDIS_URL                     a Redis of yours; else one is found, started or installed
  SYNCHUB_CONFIG                configuration (infra/synchub.config.json)
  SYNCHUB_DATA_DIR              traces, agents' data, logs (.synchub)
  SYNCBOOT_URL, SYNCINSIGHT_URL, SYNCETA_URL, SYNCVERSE_URL, SYNCHUB_AGENT_SECRET
                                agents that run already; those are not started
  LOG_LEVEL                     fatal, error, warn, info, debug, trace or silent (info)

Ctrl-C ends everything, Redis last. Traces survive: the next start has them.
`
