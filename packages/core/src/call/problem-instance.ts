/** RFC 9457 `instance` of a call's failures (S0.5). */
export function instanceOf({ tool }: { readonly tool: string }): string {
  return `/tools/call/${tool}`
}
