import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { m } from '#src/messages/messages.ts'
import { WorkflowName } from '#src/patterns/workflow-name.tsx'
import { NotGiven } from '#src/run-input/not-given.tsx'
import { endOf } from '#src/starts/ends.ts'
import { LastFired } from '#src/starts/starts.tsx'
import { type Trigger, WhatStarts } from '#src/starts/what-starts.tsx'
import { Time } from '#src/ui/time.tsx'
import { JsonView } from '#src/values/json-view.tsx'

/** The settings of a start in words. */
export function StartFacts({ trigger }: { readonly trigger: Trigger }) {
  const s = m.starting
  const { schedule, webhook, event, watch, mapping, filter, input } = trigger
  const end = endOf(trigger)
  const facts: readonly (readonly [string, ReactNode])[] = [
    ...(schedule === null
      ? []
      : ([
          [s.when, <WhatStarts key="when" trigger={trigger} />],
          [s.overlap, s.overlaps[schedule.overlap]],
          [s.missed, s.missedTimes[schedule.missed]],
        ] as const)),
    ...(webhook === null
      ? []
      : ([
          [m.starts.signature, schemeWord(webhook.signature.scheme)],
          [m.starts.reply, replyWord(webhook.reply)],
          [s.methods, webhook.methods.join(', ')],
          [s.rate, s.perMinute(webhook.ratePerMinute)],
          ...(webhook.rawBody ? ([[s.rawBody, 'rawBody']] as const) : []),
          ...(webhook.addresses.length === 0 ? [] : ([[s.addresses, webhook.addresses.join(', ')]] as const)),
        ] as const)),
    ...(event === null || end !== undefined ? [] : ([[m.starts.types, event.types.join(', ')]] as const)),
    ...(end === undefined
      ? []
      : ([
          [s.when, m.ends.shown[end]],
          [m.ends.of, <OfWorkflows key="workflows" ids={event?.workflows} />],
        ] as const)),
    ...(watch === null
      ? []
      : ([
          [m.watches.source, <WhatStarts key="watch" trigger={trigger} />],
          [m.watches.every, watch.settings.every],
          ...(watch.lookedAt === null ? [] : ([[m.watches.looked, <Time key="looked" at={watch.lookedAt} kind="ago" />]] as const)),
          ...(watch.nextAt === null ? [] : ([[m.watches.next, <Time key="next" at={watch.nextAt} kind="ago" />]] as const)),
        ] as const)),
    ...expressionFact(s.filter, filter),
    ...expressionFact(s.mapping, mapping),
    ...(trigger.lastFiredAt === null ? [] : ([[s.last, <LastFired key="last" trigger={trigger} />]] as const)),
  ]
  return (
    <section className="panel acard">
      <h2 className="t16 bb">{s.settings}</h2>
      <dl className="fact-list">
        {facts.map(([word, value]) => (
          <div key={word}>
            <dt>{word}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {input !== null && <JsonView value={input} title={m.run.input} />}
      <NotGiven reads={trigger.warnings ?? []} by="start" />
    </section>
  )
}

function expressionFact(word: string, text: string | null): readonly (readonly [string, ReactNode])[] {
  if (text === null) return []
  return [
    [
      word,
      <bdi key={word} className="mono">
        {text}
      </bdi>,
    ],
  ]
}

function OfWorkflows({ ids }: { readonly ids: readonly string[] | undefined }) {
  if (ids === undefined) return m.ends.all
  return (
    <ul className="plain-list">
      {ids.map((id) => (
        <li key={id}>
          <Link to={`/workflows/${id}`}>
            <WorkflowName id={id} />
          </Link>
        </li>
      ))}
    </ul>
  )
}

const wordOf = (all: readonly (readonly [string, string])[], key: string) => all.find(([name]) => name === key)?.[1] ?? key
const schemeWord = (scheme: string) => wordOf(m.starts.schemes, scheme)
const replyWord = (reply: string) => wordOf(m.starts.replies, reply)
