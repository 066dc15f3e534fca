import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PersonalDataKind } from '@millrace/contract'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { detect } from './detector.ts'

/** The kinds of the corpus in ours. `TITLE` and `PREFIX` (jobs, Mr.) are no personal data by themselves and are not counted. */
const kindOf: Readonly<Record<string, PersonalDataKind>> = {
  PERSON: 'person',
  ADDRESS: 'location',
  LOCATION: 'location',
  ORGANIZATION: 'organization',
  CREDIT_CARD: 'credit_card',
  PHONE_NUMBER: 'phone',
  DATE_TIME: 'date',
  EMAIL_ADDRESS: 'email',
  US_SSN: 'national_id',
  US_DRIVER_LICENSE: 'national_id',
  IBAN_CODE: 'iban',
  DOMAIN_NAME: 'url',
  IP_ADDRESS: 'ip_address',
}

interface Sample {
  readonly full_text: string
  readonly spans: readonly { readonly entity_type: string; readonly start_position: number; readonly end_position: number }[]
}

interface Span {
  readonly kind: string
  readonly start: number
  readonly end: number
}

const conformance = inject('conformance')
const folder = 'folder' in conformance ? conformance.folder : ''

/** Adjacent places count as one: the corpus marks some addresses as a whole and others in parts. */
function joined(text: string, spans: readonly Span[]): Span[] {
  const result: Span[] = []
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1)
    const isNext = last?.kind === 'location' && span.kind === 'location' && /^[\s,.>?]*$/.test(text.slice(last.end, span.start))
    if (isNext && last !== undefined) result[result.length - 1] = { ...last, end: Math.max(last.end, span.end) }
    else result.push(span)
  }
  return result
}

interface Figures {
  found: number
  wrong: number
  missed: number
}

function measure(samples: readonly Sample[]): Map<string, Figures> {
  const figures = new Map<string, Figures>()
  const at = (kind: string): Figures => {
    const known = figures.get(kind) ?? { found: 0, wrong: 0, missed: 0 }
    figures.set(kind, known)
    return known
  }
  for (const { full_text: text, spans } of samples) {
    const marked = spans.map(({ entity_type: type, start_position: start, end_position: end }) => ({ kind: kindOf[type], start, end }))
    const gold = joined(
      text,
      marked.flatMap(({ kind, ...span }) => (kind === undefined ? [] : [{ kind, ...span }])),
    )
    const ignored = marked.filter(({ kind }) => kind === undefined)
    const found = new Set(joined(text, detect(text)))
    for (const span of gold) {
      const hit = [...found].find((other) => other.kind === span.kind && overlap(other, span) >= 0.5)
      if (hit === undefined) at(span.kind).missed++
      else {
        at(span.kind).found++
        found.delete(hit)
      }
    }
    for (const span of found) if (!ignored.some((other) => overlap(other, span) > 0)) at(span.kind).wrong++
  }
  return figures
}

/** The common part as a share of the longer one. */
function overlap(a: Omit<Span, 'kind'>, b: Omit<Span, 'kind'>): number {
  return (Math.min(a.end, b.end) - Math.max(a.start, b.start)) / Math.max(a.end - a.start, b.end - b.start)
}

function f1({ found, wrong, missed }: Figures): number {
  return (2 * found) / (2 * found + wrong + missed)
}

describe.skipIf(folder === '')('on the corpus of presidio-research', () => {
  let samples: readonly Sample[] = []
  beforeAll(async () => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The file is data of the corpus.
    samples = JSON.parse(await readFile(join(folder, 'pii/generated_large.json'), 'utf8')) as readonly Sample[]
  })

  test('the detector reaches the figures that docs/privacy.md states', () => {
    const figures = measure(samples)
    const total = { found: 0, wrong: 0, missed: 0 }
    for (const { found, wrong, missed } of figures.values()) {
      total.found += found
      total.wrong += wrong
      total.missed += missed
    }
    expect(f1(total)).toBeGreaterThanOrEqual(0.85)
    const of = (kind: string) => f1(figures.get(kind) ?? total)
    expect(of('person')).toBeGreaterThanOrEqual(0.8)
    for (const kind of ['email', 'credit_card', 'iban', 'ip_address']) expect(of(kind), kind).toBeGreaterThanOrEqual(0.98)
  })
})
