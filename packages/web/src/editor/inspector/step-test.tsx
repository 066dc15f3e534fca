import type { Json } from '@millrace/dsl'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { api } from '#src/api/client.ts'
import type { FlowDocument } from '#src/document/document-store.ts'
import { earlierOutputs, lastValue, sampleInput, saveSample } from '#src/editor/inspector/test-inputs.ts'
import type { Rehearsing } from '#src/editor/use-checks.ts'
import type { DrawnEntry } from '#src/flow/drawing.ts'
import { m } from '#src/messages/messages.ts'
import { parsed } from '#src/rehearse/samples.ts'
import { ErrorView } from '#src/run/error-view.tsx'
import { Button } from '#src/ui/button.tsx'
import { ProblemPanel, wordsOf } from '#src/ui/problem.tsx'
import { toast } from '#src/ui/toast.tsx'
import { JsonView } from '#src/values/json-view.tsx'
import { onDemand } from '#src/ui/on-demand.tsx'

const TextEditor = onDemand(() => import('#src/editor/text-editor.tsx').then((module) => module.TextEditor))

interface TestProps {
  readonly workflow: string
  readonly doc: FlowDocument
  readonly entry: DrawnEntry
  readonly rehearsing: Rehearsing
}

/** Where the input of a test comes from. */
type Origin = 'rehearsal' | 'sample' | 'run' | 'typed'
type Tested = Awaited<ReturnType<typeof api.workflowTests.run>>
type Outcome =
  | { readonly kind: 'none' | 'running' }
  | { readonly kind: 'ended'; readonly input: Json; readonly run: Tested }
  | { readonly kind: 'refused'; readonly error: unknown }

const waitSeconds = 20
const effects = new Set(['http', 'connector', 'approve', 'email', 'agent', 'script', 'workflow', 'emit', 'listen'])
const origins: readonly Origin[] = ['rehearsal', 'sample', 'run', 'typed']

/** Runs one step for real, as it is in the text now, and shows what came out of it in place. */
export function StepTest({ workflow, doc, entry, rehearsing }: TestProps) {
  const { origin, choose, text, type, missing } = useTestInput(workflow, entry, rehearsing)
  const [outcome, setOutcome] = useState<Outcome>({ kind: 'none' })
  const input = parsed(text)
  const t = m.flowEditor.test
  const run = async () => {
    if (input === undefined) return
    setOutcome({ kind: 'running' })
    try {
      await doc.settled()
      const { text: definition, json } = doc.store.getState()
      const steps = { json: json ?? null, rehearsal: rehearsing.rehearsal, preferRun: origin === 'run' }
      const pins = await earlierOutputs(workflow, entry.reference, steps)
      const body = { definition, task: entry.reference, taskInput: input, pins }
      const tested = await api.workflowTests.run({ params: { id: workflow }, body }, { waitSeconds })
      setOutcome({ kind: 'ended', input, run: tested })
    } catch (error) {
      setOutcome({ kind: 'refused', error })
    }
  }
  return (
    <section className="step-test" aria-label={t.title}>
      <div className="row wrap">
        <b className="lbl">{t.title}</b>
        <span className="sp" />
        <select
          className="input"
          aria-label={t.inputFrom}
          value={origin}
          onChange={({ target }) => void choose(origins.find((one) => one === target.value) ?? 'typed')}
        >
          {origins.map((key) => (
            <option key={key} value={key}>
              {t.origins[key]}
            </option>
          ))}
        </select>
      </div>
      <div className="panel sample-editor small">
        <TextEditor text={text} label={t.input} language="json" onChange={type} />
      </div>
      {missing && <p className="t12 c-wait">{t.nothing[origin]}</p>}
      {input === undefined && <p className="t12 c-bad">{m.flowEditor.sampleNotJson}</p>}
      <div className="row wrap">
        <Button icon="play" onClick={() => void run()} busy={outcome.kind === 'running'} disabled={input === undefined}>
          {t.run}
        </Button>
        {effects.has(entry.kind) && <span className="t12 i3">{t.real}</span>}
      </div>
      <TestOutcome
        outcome={outcome}
        onKeep={async (tested) => {
          try {
            await saveSample(workflow, entry.reference, tested)
            rehearsing.pin(entry.path, tested.output)
            toast(t.kept)
          } catch (error) {
            toast(wordsOf(error).detail, 'faulted')
          }
        }}
      />
    </section>
  )
}

interface OutcomeProps {
  readonly outcome: Outcome
  readonly onKeep: (tested: { readonly input: Json; readonly output: Json }) => Promise<void>
}

function TestOutcome({ outcome, onKeep }: OutcomeProps) {
  const t = m.flowEditor.test
  if (outcome.kind === 'refused') return <ProblemPanel error={outcome.error} />
  if (outcome.kind !== 'ended') return null
  const { run, input } = outcome
  const { output, error } = run
  return (
    <div data-tested={run.state} role="status">
      {run.state === 'completed' && <JsonView value={output} title={t.output} />}
      {error !== undefined && <ErrorView error={error} />}
      {run.state !== 'completed' && error === undefined && <p className="t13 c-wait">{t.notEnded}</p>}
      <div className="row wrap">
        {run.state === 'completed' && output !== undefined && (
          <Button size="sm" icon="check" onClick={() => void onKeep({ input, output })}>
            {t.keep}
          </Button>
        )}
        <Link to={`/runs/${run.id}`} className="t12">
          {t.open}
        </Link>
      </div>
    </div>
  )
}

/** The input of a test: as it was found, until a person types. */
function useTestInput(workflow: string, entry: DrawnEntry, rehearsing: Rehearsing) {
  const rehearsed = rehearsing.rehearsal?.steps.get(entry.reference)?.input
  const [origin, setOrigin] = useState<Origin>('rehearsal')
  const [found, setFound] = useState<{ readonly text: string; readonly missing: boolean }>()
  const text = found?.text ?? written(rehearsed ?? {})
  /** What a person has done last: a value that arrives later than that is not shown. */
  const latest = useRef(0)
  const choose = async (next: Origin) => {
    const choice = ++latest.current
    setOrigin(next)
    if (next === 'typed') return setFound({ text, missing: false })
    if (next === 'rehearsal') return setFound(undefined)
    const value = await (next === 'sample' ? sampleInput(workflow, entry.reference) : lastValue(workflow, entry.reference, 'input')).catch(
      () => undefined,
    )
    if (choice !== latest.current) return
    setFound({ text: value === undefined ? text : written(value), missing: value === undefined })
  }
  return {
    origin,
    choose,
    text,
    missing: found === undefined ? rehearsed === undefined : found.missing,
    type(next: string) {
      if (next === text) return
      latest.current += 1
      setOrigin('typed')
      setFound({ text: next, missing: false })
    },
  }
}

function written(value: Json): string {
  return JSON.stringify(value, undefined, 2)
}
