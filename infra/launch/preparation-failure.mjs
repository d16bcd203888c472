/** Packages or build did not come about. The message is for the terminal and ends with the remedy. */
export class PreparationFailure extends Error {
  /** @override */
  name = 'PreparationFailure'
}

/** The user asked for the end while packages were installed or sources compiled. */
export class Interruption extends Error {
  /** @override */
  name = 'Interruption'

  /** @param {'SIGINT' | 'SIGTERM'} signalName */
  constructor(signalName) {
    super('Stopped. Nothing is left running; the next start goes on from here.')
    /** What a shell expects of a command that a signal ended. */
    this.exitCode = signalName === 'SIGINT' ? 130 : 143
  }
}
