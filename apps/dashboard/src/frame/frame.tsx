import { ListOrdered } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { useTexts } from '../language/texts.js'
import type { Page } from '../pages/page.js'
import { NAVIGATION } from '../pages/page-list.js'
import { useMayReadQueues } from '../session/session.js'
import { ConnectionBadge } from './connection-badge.js'
import styles from './frame.module.css'
import { FRAME_TEXTS } from './frame-texts.js'
import { SettingsMenu } from './settings-menu.js'

/** The part of the page that changes from page to page: where the focus goes when what had it is gone. */
export const CONTENT_ID = 'content'

/** What stands around every page: navigation, connection, settings. */
export function Frame({ children }: { readonly children: ReactNode }) {
  const texts = useTexts(FRAME_TEXTS)
  const mayReadQueues = useMayReadQueues()
  return (
    <div className={styles.frame}>
      <a href={`#${CONTENT_ID}`} className={styles.skip}>
        {texts.skip}
      </a>
      <header className={styles.side}>
        <Link href="/traces" className={styles.brand}>
          <img src="/ui/mark.svg" alt="" width="20" height="20" />
          SyncHub
        </Link>
        <nav className={styles.navigation} aria-label={texts.navigation}>
          {NAVIGATION.map((page) => (
            <NavigationEntry key={page.route} page={page} />
          ))}
          {mayReadQueues && (
            <a href="/queues/board/" className={styles.entry}>
              <ListOrdered size={16} strokeWidth={1.9} aria-hidden />
              <span>{texts.queues}</span>
            </a>
          )}
        </nav>
        <div className={styles.foot}>
          <ConnectionBadge />
          <SettingsMenu />
        </div>
      </header>
      <main id={CONTENT_ID} className={styles.content} tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}

function NavigationEntry({ page }: { readonly page: (typeof NAVIGATION)[number] & Page }) {
  const [location] = useLocation()
  const { name } = useTexts(page.texts)
  const isHere = location === page.route || location.startsWith(`${page.route}/`)
  const { icon: Icon } = page.navigation
  return (
    <Link href={page.route} className={styles.entry} aria-current={isHere ? 'page' : undefined}>
      <Icon size={16} strokeWidth={1.9} aria-hidden />
      <span>{name}</span>
    </Link>
  )
}
