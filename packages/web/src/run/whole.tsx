import { useState } from 'react'
import { m } from '#src/messages/messages.ts'
import { ErrorView } from '#src/run/error-view.tsx'
import { RunValue } from '#src/run/run-value.tsx'
import type { RunDetail } from '#src/run/use-run.ts'
import { Tabs } from '#src/ui/tabs.tsx'

/** What went into the run and what it gave. */
export function Whole({ run }: { readonly run: RunDetail }) {
  const [tab, setTab] = useState<string>()
  const tabs = [
    ...(run.output === undefined && run.outputReference === undefined && run.outputWithheld === undefined
      ? []
      : [['output', m.run.result] as const]),
    ['input', m.run.input] as const,
    ...(run.error === undefined ? [] : [['error', m.run.error] as const]),
  ]
  const shown = tab ?? tabs[0]?.[0] ?? 'input'
  return (
    <section className="step-panel" aria-label={m.run.whole}>
      <header className="shead">
        <b className="bb">{m.run.whole}</b>
      </header>
      <Tabs label={m.run.values} tabs={tabs} value={shown} onChange={setTab} />
      <div className="step-body">
        {shown === 'error' && <ErrorView error={run.error} />}
        {shown === 'input' && <RunValue run={run.id} value={run.input ?? run.inputReference ?? null} />}
        {shown === 'output' && run.outputWithheld !== undefined && <p className="t13 i2">{run.outputWithheld}</p>}
        {shown === 'output' && run.outputWithheld === undefined && (
          <RunValue run={run.id} value={run.output ?? run.outputReference ?? null} />
        )}
      </div>
    </section>
  )
}
