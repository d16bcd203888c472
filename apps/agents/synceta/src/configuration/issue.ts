import type { z } from 'zod'

type Issue = z.core.$ZodIssue

/** Where and why a file does not keep its schema, as `suites.unit.output: ...`. */
export function describeIssue(issue: Issue): string {
  const { path, message } = innermost(issue)
  return `${path.length === 0 ? 'the top level' : path.map(String).join('.')}: ${message}`
}

/** A key or an alternative that does not fit says only that; why, its own issues tell. */
function innermost(issue: Issue): Pick<Issue, 'path' | 'message'> {
  const inner =
    issue.code === 'invalid_union' ? closest(issue.errors) : issue.code === 'invalid_key' ? issue.issues[0] : undefined
  if (inner === undefined) return issue
  const { path, message } = innermost(inner)
  return { path: [...issue.path, ...path], message }
}

/** Of several alternatives the one that was meant is the first whose type fits. */
function closest(alternatives: readonly (readonly Issue[])[]): Issue | undefined {
  const firsts = alternatives.flatMap(([first]) => (first === undefined ? [] : [first]))
  return firsts.find(({ code, path }) => code !== 'invalid_type' || path.length > 0)
}
