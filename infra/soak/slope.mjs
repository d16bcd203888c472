/**
 * The line that fits points best, by least squares.
 *
 * @param {readonly { x: number, y: number }[]} points
 * @returns {number} by how much y grows for each x; 0 for less than two points
 */
export function slopeOf(points) {
  if (points.length < 2) return 0
  const mean = (/** @type {'x' | 'y'} */ name) => points.reduce((sum, point) => sum + point[name], 0) / points.length
  const [meanX, meanY] = [mean('x'), mean('y')]
  const over = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0)
  return over / points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0)
}
