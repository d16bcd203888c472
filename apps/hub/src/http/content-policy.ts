/** What pages that we serve may do. */
export interface PageNeeds {
  /** Whether the page names its own base address, as pages that know no fixed one do. */
  readonly hasBase?: boolean
}

/**
 * The Content-Security-Policy of a page: nothing from elsewhere, nothing inline, nothing evaluated; pictures and sounds of results
 * come as blobs.
 */
function contentPolicy({ hasBase = false }: PageNeeds = {}): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    'media-src data: blob:',
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    `base-uri ${hasBase ? "'self'" : "'none'"}`,
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Headers of every page: its policy, and that no other site may open it in a window that it can reach into. */
export function pageHeaders(needs: PageNeeds = {}): Readonly<Record<string, string>> {
  return {
    'Content-Security-Policy': contentPolicy(needs),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  }
}
