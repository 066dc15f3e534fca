import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { m } from '#src/messages/messages.ts'
import { t } from '#src/pages/tables/texts.ts'
import { usePeople } from '#src/patterns/use-people.ts'
import { Button } from '#src/ui/button.tsx'
import { shortId } from '#src/ui/id.tsx'
import { exactTime } from '#src/values/format.ts'
import { JsonView } from '#src/values/json-view.tsx'
import { type Row, textOf, type Value } from './columns.ts'
import { OfTest, runOf } from './writer.tsx'

interface RowViewProps {
  readonly row: Row
  /** Undefined where the reader may not change rows. */
  readonly edit: (() => void) | undefined
}

/** A whole row: all its columns, who wrote it and when, and until when it is kept. */
export function RowView({ row, edit }: RowViewProps) {
  const { columns, updatedAt, createdAt, expiresAt, byTest } = row
  return (
    <div className="stack">
      <dl className="fact-list">
        {Object.entries(columns).map(([name, value]) => (
          <Fact key={name} name={<bdi>{name}</bdi>}>
            <Shown value={value} />
          </Fact>
        ))}
      </dl>
      <dl className="fact-list row-facts">
        <Fact name={t.writtenBy}>
          <Writer row={row} /> {byTest && <OfTest />}
        </Fact>
        <Fact name={t.changed}>{exactTime(updatedAt)}</Fact>
        {createdAt !== updatedAt && <Fact name={t.created}>{exactTime(createdAt)}</Fact>}
        {expiresAt !== null && <Fact name={t.expires}>{exactTime(expiresAt)}</Fact>}
      </dl>
      {edit !== undefined && (
        <div className="row">
          <Button icon="edit" onClick={edit}>
            {m.common.edit}
          </Button>
        </div>
      )}
    </div>
  )
}

function Fact({ name, children }: { readonly name: ReactNode; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Shown({ value }: { readonly value: Value }) {
  if (typeof value === 'object' && value !== null) return <JsonView value={value} />
  const text = textOf(value)
  return text === '' ? '–' : <bdi className={typeof value === 'string' ? 'row-text' : 'mono'}>{text}</bdi>
}

/** Who wrote a row last: a run by its page, a person by name. */
function Writer({ row }: { readonly row: Row }) {
  const people = usePeople()
  const run = runOf(row)
  if (run !== undefined) return <Link to={`/runs/${run}`}>{t.run(shortId(run))}</Link>
  const { writtenBy } = row
  const [kind = '', id = ''] = writtenBy.split(':')
  return <bdi>{kind === 'key' ? t.apiKey(shortId(id)) : (people.get(writtenBy) ?? writtenBy)}</bdi>
}
