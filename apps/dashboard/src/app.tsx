import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Compass } from 'lucide-react'
import { type ComponentType, lazy, Suspense, useEffect } from 'react'
import { Link, Redirect, Route, Router, Switch, useLocation } from 'wouter'
import { EmptyNote } from './controls/empty-note.js'
import { FailureNote } from './controls/failure-note.js'
import { Waiting } from './controls/waiting.js'
import { CONTENT_ID, Frame } from './frame/frame.js'
import { PageBoundary } from './frame/page-boundary.js'
import { toFailure } from './hub/failure.js'
import { COMMON_TEXTS } from './language/common-texts.js'
import { useTexts } from './language/texts.js'
import type { Page } from './pages/page.js'
import { PAGES } from './pages/page-list.js'
import { takeLostFocus } from './screen/lost-focus.js'
import { SessionGate } from './session/session-gate.js'

const queries = new QueryClient({
  // The hub's client has patience of its own where asking again may help.
  defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false } },
})

const ROUTES = PAGES.map((page) => ({ page, component: lazy(page.load) }))

/** All pages within their frame, for people whom the hub knows. */
export function App() {
  return (
    <QueryClientProvider client={queries}>
      <SessionGate>
        <Router base="/ui">
          <Frame>
            <Pages />
          </Frame>
        </Router>
      </SessionGate>
    </QueryClientProvider>
  )
}

function Pages() {
  const [location] = useLocation()
  return (
    <PageBoundary
      place={location}
      fallback={(error) => <FailureNote failure={toFailure(error)} onRetry={() => globalThis.location.reload()} />}
    >
      <Suspense fallback={<Waiting />}>
        <Switch>
          <Route path="/">
            <Redirect to="/traces" replace />
          </Route>
          {ROUTES.map(({ page, component }) => (
            <Route key={page.route} path={page.route}>
              <Titled page={page} component={component} />
            </Route>
          ))}
          <Route>
            <Missing />
          </Route>
        </Switch>
      </Suspense>
    </PageBoundary>
  )
}

function Titled({ page, component: Component }: { readonly page: Page; readonly component: ComponentType }) {
  const { name } = useTexts(page.texts)
  useEffect(() => {
    document.title = `${name} · SyncHub`
  }, [name])
  // The link that led here is gone.
  useEffect(() => takeLostFocus(document.getElementById(CONTENT_ID)), [])
  return <Component />
}

function Missing() {
  const texts = useTexts(COMMON_TEXTS)
  return (
    <EmptyNote icon={Compass} title={texts.notFound}>
      <p>{texts.notFoundHint}</p>
      <p>
        <Link href="/traces">{texts.toTraces}</Link>
      </p>
    </EmptyNote>
  )
}
