/**
 * The request for an event stream, as it goes over a socket.
 *
 * @param {string} url of the hub
 * @param {string} path
 * @param {string} [lastEventId]
 */
export function requestStream(url, path, lastEventId) {
  const resume = lastEventId === undefined ? '' : `Last-Event-ID: ${lastEventId}\r\n`
  return `GET ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAccept: text/event-stream\r\n${resume}\r\n`
}
