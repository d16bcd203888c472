/**
 * @param {import('node:net').Server} server that listens on a TCP port of the loopback
 * @returns {string} without a slash at the end
 */
export function listeningUrl(server) {
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server does not listen on a port')
  return `http://127.0.0.1:${address.port}`
}
