import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { makeReachable } from '../screen/reachable.js'
import styles from './payload.module.css'

/** A picture of somewhere else would tell that somebody reads; its words stand in for it. Links leave the page openly. */
const COMPONENTS: Components = {
  img: ({ alt, src }) => (
    <span className={styles.absent}>
      {alt} <code>{src}</code>
    </span>
  ),
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  ),
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h4>{children}</h4>,
  h3: ({ children }) => <h5>{children}</h5>,
}

/** A report of an agent. HTML in it is left out, never run. Wide tables and code scroll with it. */
export function Markdown({ text, title }: { readonly text: string; readonly title: string }) {
  return (
    <section ref={makeReachable} className={styles.markdown} aria-label={title}>
      <ReactMarkdown remarkPlugins={[remarkGfm]} components={COMPONENTS} skipHtml>
        {text}
      </ReactMarkdown>
    </section>
  )
}
