import type { Json } from '@millrace/dsl'
import type { Fix } from '@millrace/dsl/fix'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { DocumentState, FlowDocument } from '#src/document/document-store.ts'
import type { Finding } from '#src/editor/diagnose.ts'
import type { FindFixes } from '#src/editor/fixing.tsx'
import type { Checked, CheckRequest, FixRequest } from '#src/rehearse/check.ts'
import type { Lens, LensRequest } from '#src/rehearse/lens.ts'
import type { Rehearsal } from '#src/rehearse/rehearse.ts'
import { inputSchemaOf, readSamples, type Samples, writeSamples } from '#src/rehearse/samples.ts'
import type { Answers } from '#src/workers/answer-calls.ts'
import { callHere, type StartedWorker, startWorker } from '#src/workers/start-worker.ts'

const restMs = 150

/** The rehearsal of a document on samples that are kept on this device. */
export interface Rehearsing {
  /** Of the last text that could be rehearsed. */
  readonly rehearsal: Rehearsal | undefined
  /** Whether the text changed since to one that cannot be rehearsed. */
  readonly stale: boolean
  readonly samples: Samples
  /** The stages of an expression on the values of the last rehearsal. */
  readonly lens: (request: LensRequest) => Promise<Lens | undefined>
  /** What the rehearsal starts with now. */
  readonly input: () => Json
  readonly setInput: (input: Json) => void
  /** Sets the result of a task, by its path; undefined takes it away. */
  readonly pin: (path: string, value: Json | undefined) => void
}

interface Checks {
  readonly findings: readonly Finding[]
  /** Whether the findings are those of the text as it is now. */
  readonly isChecked: boolean
  readonly rehearsing: Rehearsing
  readonly findFixes: FindFixes
}

/** What is wrong with a document, and what it makes of its samples: computed by a worker when the text rests. */
export function useChecks(workflow: string, doc: FlowDocument): Checks {
  const [samples, setSamples] = useState(() => readSamples(workflow))
  const [found, setFound] = useState<Omit<Checked, 'findings'> & { readonly findings: readonly Finding[]; readonly stale: boolean }>({
    findings: [],
    rehearsal: undefined,
    input: {},
    stale: false,
  })
  const [isChecked, setChecked] = useState(false)
  const latest = useRef(samples)
  latest.current = samples
  const started = useRef<ReturnType<typeof startChecks>>(undefined)
  useEffect(() => {
    const checks = startChecks(
      () => requestOf(doc, latest.current),
      ({ findings, rehearsal, input }) => {
        setFound((before) => ({ findings, rehearsal: rehearsal ?? before.rehearsal, input, stale: rehearsal === undefined }))
        setChecked(true)
      },
    )
    setChecked(false)
    started.current = checks
    const leave = doc.store.subscribe(({ text, outline }, before) => {
      if (text !== before.text) setChecked(false)
      if (text !== before.text || outline !== before.outline) checks.changed()
    })
    return () => {
      leave()
      checks.stop()
    }
  }, [doc])
  useEffect(() => started.current?.changed(), [samples])
  const findFixes = useCallback<FindFixes>(
    async (text, finding) => (await started.current?.fixes({ text, syntax: doc.syntax, finding })) ?? [],
    [doc],
  )
  const rehearsing = useMemo<Rehearsing>(() => {
    const change = (next: Samples) => {
      writeSamples(workflow, next, inputSchemaOf(doc.store.getState().json))
      setSamples(next)
    }
    return {
      rehearsal: found.rehearsal,
      stale: found.stale,
      samples,
      lens: async (asked) => started.current?.lens(asked),
      input: () => samples.input ?? found.input,
      setInput: (input) => change({ ...samples, input }),
      pin(path, value) {
        const { [path]: _before, ...others } = samples.pins
        change({ ...samples, pins: value === undefined ? others : { ...others, [path]: value } })
      },
    }
  }, [found.rehearsal, found.stale, found.input, samples, workflow, doc])
  return { findings: found.findings, isChecked, rehearsing, findFixes }
}

function requestOf(doc: FlowDocument, samples: Samples): CheckRequest {
  const { text, outline }: DocumentState = doc.store.getState()
  const pins = new Map(
    Object.entries(samples.pins).flatMap(([path, value]): [string, Json][] => {
      const pointer = outline.places.get(path)?.pointer
      return pointer === undefined ? [] : [[pointer, value]]
    }),
  )
  return { text, syntax: doc.syntax, input: samples.input, pins }
}

/** Asks a worker when things rest; one question at a time, the next with what is known then. */
function startChecks(request: () => CheckRequest, show: (checked: Checked) => void) {
  const worker = openWorker()
  let timer: ReturnType<typeof setTimeout> | undefined
  let asking = false
  let again = false
  let stopped = false
  async function ask(): Promise<void> {
    if (asking) {
      again = true
      return
    }
    asking = true
    const checked = await worker.call<Checked>('check', request()).catch(() => undefined)
    asking = false
    if (stopped) return
    const isLatest = !again
    again = false
    if (checked !== undefined && isLatest) show(checked)
    if (!isLatest) changed()
  }
  function changed(): void {
    // What is asked now is about an earlier text.
    if (asking) again = true
    clearTimeout(timer)
    timer = setTimeout(() => void ask(), restMs)
  }
  changed()
  return {
    changed,
    fixes: (asked: FixRequest) => worker.call<readonly Fix[]>('fixes', asked).catch(() => []),
    lens: (asked: LensRequest) => worker.call<Lens | undefined>('lens', asked).catch(() => undefined),
    stop() {
      stopped = true
      clearTimeout(timer)
      worker.stop()
    },
  }
}

/** The worker; in this thread where the browser starts none. */
function openWorker(): StartedWorker {
  try {
    return startWorker('check')
  } catch {
    let answers: Promise<Answers> | undefined
    return callHere(() => (answers ??= import('#src/rehearse/check.ts').then(({ createCheckAnswers }) => createCheckAnswers())))
  }
}
