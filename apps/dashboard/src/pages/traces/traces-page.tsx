import { Inbox, SearchX } from 'lucide-react'
import { useCallback, useEffect, useMemo } from 'react'
import { useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { EmptyNote } from '../../controls/empty-note.js'
import { useFormat } from '../../language/format.js'
import { useTexts } from '../../language/texts.js'
import { BulkBar } from './bulk-bar.js'
import { useSelection } from './selection.js'
import { rememberList } from './shown-list.js'
import { TraceFilters } from './trace-filters.js'
import { TraceListBody } from './trace-list-body.js'
import { addressOfTraces, readWish, writeWish } from './trace-query.js'
import rowStyles from './trace-rows.module.css'
import styles from './traces.module.css'
import { TRACES_TEXTS } from './traces-texts.js'
import { useTraceList } from './use-trace-list.js'

/** Most traces that are selected at once. */
const MAX_SELECTED = 10_000

/** The live list of traces. */
export function TracesPage() {
  const texts = useTexts(TRACES_TEXTS)
  const format = useFormat()
  const search = useSearch()
  const wish = useMemo(() => readWish(new URLSearchParams(search)), [search])
  const { list, view } = useTraceList(search)
  const { traces, goesOn } = view
  const selection = useSelection(traces)
  useEffect(() => rememberList(wish), [wish])
  const change = useCallback((wanted: Parameters<typeof writeWish>[1]) => {
    const params = writeWish(new URLSearchParams(globalThis.location.search), wanted)
    navigate(`/ui${addressOfTraces(params)}`, { replace: true })
  }, [])
  const callers = useMemo(() => [...new Set(traces.map(({ caller }) => caller))], [traces])
  const isNarrowed = Object.keys(wish).length > 0
  const isAllSelected = traces.length > 0 && selection.traces.length === traces.length

  const loadAll = async (): Promise<boolean> => {
    await list.loadAll(MAX_SELECTED)
    return list.read().failure === null
  }
  const selectAll = async (): Promise<void> => {
    await loadAll()
    selection.setAll(list.read().traces)
  }

  return (
    <div className={styles.page}>
      <div className={styles.top}>
        <div className={styles.title}>
          <h1>{texts.name}</h1>
          <span className={styles.shown}>{(goesOn ? texts.shownMore : texts.shown)(format.number(traces.length))}</span>
          <BulkBar
            traces={selection.traces.length > 0 ? selection.traces : traces}
            selectedCount={selection.traces.length}
            mayActOnAll={isNarrowed}
            goesOn={goesOn}
            loadAll={loadAll}
            onClear={selection.clear}
          />
        </div>
        <TraceFilters wish={wish} callers={callers} onChange={change} />
        <div className={rowStyles.heads}>
          <span className={rowStyles.check}>
            <input
              type="checkbox"
              aria-label={texts.selectAll}
              title={texts.selectAll}
              checked={isAllSelected}
              ref={(box) => {
                if (box !== null) box.indeterminate = selection.traces.length > 0 && !isAllSelected
              }}
              onChange={({ target }) => (target.checked ? void selectAll() : selection.clear())}
            />
          </span>
          <span className={rowStyles.state}>{texts.state}</span>
          <span className={rowStyles.name}>{texts.tool}</span>
          <span className={rowStyles.caller}>{texts.caller}</span>
          <span className={rowStyles.agent}>{texts.agent}</span>
          <span className={rowStyles.far}>{texts.progress}</span>
          <span className={rowStyles.age}>{texts.age}</span>
          <span className={rowStyles.duration}>{texts.duration}</span>
        </div>
      </div>
      <TraceListBody
        list={list}
        view={view}
        selection={selection}
        empty={<NoTraces isNarrowed={isNarrowed} />}
        onNarrow={change}
      />
    </div>
  )
}

function NoTraces({ isNarrowed }: { readonly isNarrowed: boolean }) {
  const texts = useTexts(TRACES_TEXTS)
  if (isNarrowed) {
    return (
      <EmptyNote icon={SearchX} title={texts.noMatch}>
        <p>{texts.noMatchHint}</p>
      </EmptyNote>
    )
  }
  return (
    <EmptyNote icon={Inbox} title={texts.none}>
      <p>{texts.noneHint}</p>
      <code>npx synchub call syncboot_generate_schema --help</code>
    </EmptyNote>
  )
}
