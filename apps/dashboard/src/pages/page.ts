import type { LucideIcon } from 'lucide-react'
import type { ComponentType } from 'react'
import type { Texts } from '../language/texts.js'

/** Words that the frame needs of a page. */
export interface PageWords {
  /** In the navigation and in the window's title. */
  readonly name: string
}

/** A page: one folder whose `page.ts` exports this under the name `page`. */
export interface Page {
  /** Route below `/ui`, with `:name` for its parts. */
  readonly route: string
  readonly texts: Texts<PageWords>
  /** Place in the navigation; absent for pages that others lead to. Pages stand in the order of their numbers. */
  readonly navigation?: { readonly order: number; readonly icon: LucideIcon }
  /** The page itself, loaded when it is first wanted. */
  readonly load: () => Promise<{ readonly default: ComponentType }>
}
