/** What an agent offers, by kind: a tool runs, a resource is read, a prompt is chosen. */
export type OfferKind = 'tool' | 'resource' | 'template' | 'prompt'

/** The offer that the page's address names. */
export interface ChosenOffer {
  readonly kind: OfferKind
  /** Name of a tool or prompt, URI of a resource, pattern of its template. */
  readonly name: string
}

const KINDS: readonly OfferKind[] = ['tool', 'resource', 'template', 'prompt']

/** Reads the offer out of the page's parameters; undefined where none is chosen. */
export function readOffer(params: URLSearchParams): ChosenOffer | undefined {
  for (const kind of KINDS) {
    const name = params.get(kind)
    if (name !== null) return { kind, name }
  }
  return undefined
}

/** The address of an agent's page with an offer chosen. */
export function addressOf(agent: string, { kind, name }: ChosenOffer): string {
  return `/agents/${encodeURIComponent(agent)}?${kind}=${encodeURIComponent(name)}`
}
