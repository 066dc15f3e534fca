import type { UserFlow } from '@puppeteer/replay'
import { Fault, type JsonValue } from '@millrace/contract'
import type { StoredEvent } from '#modules/livecapture/model.ts'
import { shortened } from './shortened.ts'

type Step = UserFlow['steps'][number]

/** Reads a recording of Chrome DevTools Recorder. Fault `request_invalid` with the problem that its parser names. */
export async function readRecording(recording: JsonValue, first: number, at: string): Promise<readonly (StoredEvent | undefined)[]> {
  const { parse } = await import('@puppeteer/replay')
  let steps: readonly Step[]
  try {
    steps = parse(recording).steps
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it has another form'
    throw new Fault('request_invalid', {
      errors: [{ pointer: '/recording', detail: `Is not a recording of Chrome DevTools Recorder: ${reason}.` }],
    })
  }
  return steps.map((step, index) => eventOf(step, first + index, at))
}

/** Undefined for a step without meaning for a workflow. */
function eventOf(step: Step, sequence: number, at: string): StoredEvent | undefined {
  const base = { sequence, at }
  // oxlint-disable typescript/no-unsafe-enum-comparison -- The enum of the library has these texts; its import would load the library.
  switch (step.type) {
    case 'navigate':
      return { ...base, kind: 'navigate', url: shortened(step.url, 2_048) }
    case 'click':
    case 'doubleClick':
      return { ...base, kind: 'click', ...targetOf(step.selectors) }
    case 'change':
      return { ...base, kind: 'change', ...targetOf(step.selectors), value: shortened(step.value, 4_000), secret: isSecret(step.selectors) }
    case 'keyDown':
      return step.key === 'Enter' ? { ...base, kind: 'key', label: 'Enter' } : undefined
    default:
      return undefined
  }
  // oxlint-enable typescript/no-unsafe-enum-comparison
}

type Selectors = Extract<Step, { selectors: unknown }>['selectors']

const plain = (selector: Selectors[number]) => (typeof selector === 'string' ? selector : selector.join(' >>> '))

function targetOf(selectors: Selectors): { readonly selector?: string; readonly label?: string } {
  const all = selectors.map(plain)
  const css = all.find((selector) => !/^(?:aria|xpath|text|pierce)\//.test(selector)) ?? all[0]
  const named = all.find((selector) => /^(?:aria|text)\/[^[]/.test(selector))?.replace(/^(?:aria|text)\//, '')
  return {
    ...(css === undefined ? {} : { selector: shortened(css, 500) }),
    ...(named === undefined ? {} : { label: shortened(named, 300) }),
  }
}

const secretWords = /passw|pwd|secret|cvc|cvv|csc\b|\bcc-|\bcc_?(?:num|no)|card[ _-]?(?:num|no\b)/i
const isSecret = (selectors: Selectors) => selectors.some((selector) => secretWords.test(plain(selector)))
