/**
 * Has a program stop in good order at the first SIGTERM or SIGINT. Further signals change nothing: a terminal and a launcher may both pass
 * one Ctrl-C on, and the second must not kill what is about to hand its work back.
 * @param stop - called once
 */
export function onStopSignal(stop: () => void): void {
  let isStopping = false
  const listener = () => {
    if (isStopping) return
    isStopping = true
    stop()
  }
  process.on('SIGTERM', listener)
  process.on('SIGINT', listener)
}
