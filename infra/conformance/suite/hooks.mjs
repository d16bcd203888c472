/**
 * Gives the suite, and nobody else, a `node:fs` that has every name it imports.
 *
 * @type {import('node:module').ResolveHook}
 */
export async function resolve(specifier, context, next) {
  const isOfSuite = context.parentURL?.includes('/@modelcontextprotocol/conformance/') === true
  if (!isOfSuite || (specifier !== 'fs' && specifier !== 'node:fs')) return next(specifier, context)
  return { url: new URL('./file-system.mjs', import.meta.url).href, shortCircuit: true }
}
