import type { groups, Reply } from '@millrace/contract'
import { withCode } from '#src/editor/finding-text.tsx'
import { m } from '#src/messages/messages.ts'
import { Badge, triggerWord } from '#src/ui/badge.tsx'

export type Report = NonNullable<Reply<(typeof groups)['workflows']['import']>['report']>

const tones = { adapted: 'wait', not_converted: 'bad', note: 'line' } as const

/** What became of the parts of a workflow of another product, and what to create after it. */
export function ImportReport({ report: { parts, findings, starts, triggers, secrets, variables } }: { readonly report: Report }) {
  const w = m.making
  const counts = [
    [w.parts, parts.total],
    [w.converted, parts.converted],
    [w.adapted, parts.adapted],
    [w.notConverted, parts.notConverted],
  ] as const
  return (
    <>
      <dl className="report-counts">
        {counts.map(([word, count]) => (
          <div key={word}>
            <dt>{word}</dt>
            <dd className="num">{count}</dd>
          </div>
        ))}
      </dl>
      {findings.length > 0 && (
        <ul className="panel report">
          {findings.map(({ outcome, pointer, part, type, reason }) => (
            <li key={`${pointer}.${reason}`}>
              <p className="row wrap">
                <b className="b">
                  <bdi>{part}</bdi>
                </b>
                <bdi className="mono t12 i3">{type}</bdi>
                <span className="sp" />
                <Badge tone={tones[outcome]}>{w.outcomes[outcome]}</Badge>
              </p>
              <p className="t13 i2">{withCode(reason)}</p>
            </li>
          ))}
        </ul>
      )}
      <Todo title={w.startsByItself} entries={starts.map(startEntry)} />
      <Todo title={w.triggersToCreate} entries={triggers.map(startEntry)} />
      <Todo title={w.secretsToFill} entries={secrets.map(({ secret, usedBy }) => [secret, usedBy.join(', ')])} />
      <Todo title={w.variablesToCreate} entries={variables.map((name) => [name, ''])} />
    </>
  )
}

/** The name of a start, and its kind with what its author needs to create it: times with their zone, path, and the like. */
function startEntry({ name, kind, settings: { crons, timeZone, ...others } }: Report['triggers'][number]): readonly [string, string] {
  const zone = typeof timeZone === 'string' ? timeZone : 'UTC'
  const times = Array.isArray(crons) ? crons.map((cron) => `${String(cron)} ${zone}`) : typeof timeZone === 'string' ? [timeZone] : []
  const more = Object.entries(others).flatMap(([key, value]) =>
    value === '' ? [] : [`${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`],
  )
  return [name, [triggerWord(kind), ...times, ...more].join(', ')]
}

function Todo({ title, entries }: { readonly title: string; readonly entries: readonly (readonly [string, string])[] }) {
  if (entries.length === 0) return null
  return (
    <section>
      <h3 className="t13 b">{title}</h3>
      <ul className="needs-list">
        {entries.map(([name, detail]) => (
          <li key={`${name}.${detail}`} className="row wrap">
            <bdi className="mono">{name}</bdi>
            <span className="i2">{detail}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
