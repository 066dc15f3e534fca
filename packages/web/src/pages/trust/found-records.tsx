import type { groups, Reply } from '@millrace/contract'
import { personCategoryName, personReason } from '@millrace/contract/person-categories'
import { Link } from '@tanstack/react-router'
import { boot } from '#src/boot.ts'
import { personWords as arabic } from '#src/messages/ar/persons.ts'
import { personWords as english } from '#src/messages/en/persons.ts'
import { type FoundRecord, placeOf } from '#src/pages/trust/place-of.ts'
import { WorkflowName } from '#src/patterns/workflow-name.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { shortId } from '#src/ui/id.tsx'
import { Time } from '#src/ui/time.tsx'
import { number } from '#src/values/format.ts'

type Found = Reply<(typeof groups)['persons']['find']>
type Category = Found['categories'][number]

const words = boot.locale === 'ar' ? arabic : english
const tones = { replace: 'race', delete: 'bad', keep: 'line' } as const

/** The records with the data of a person, by category, each with the way to it. */
export function FoundRecords({ found: { categories } }: { readonly found: Found }) {
  const total = categories.reduce((sum, category) => sum + category.total, 0)
  if (total === 0)
    return (
      <>
        <h2 className="t20">{words.nothing}</h2>
        <p className="i2">{words.nothingText}</p>
      </>
    )
  return (
    <>
      <h2 className="t20">{words.found(total)}</h2>
      <p className="t13 i2">{words.filesNote}</p>
      {categories.toSorted(byKind).map((category) => (
        <CategoryList key={`${category.category} ${category.action}`} category={category} />
      ))}
    </>
  )
}

/** What people look for first. */
const first = ['executions', 'approvals', 'account files', 'data rows', 'events', 'assistant messages', 'webhook deliveries']
const placeIn = ({ category }: Category) => (first.includes(category) ? first.indexOf(category) : first.length)
const byKind = (one: Category, other: Category) => placeIn(one) - placeIn(other)

function CategoryList({ category: { category, action, reason, total, records, more } }: { readonly category: Category }) {
  return (
    <section className="person-found">
      <h3 className="row wrap t14 bb">
        {personCategoryName(category, boot.locale)} <span className="num i2">{number(total)}</span>
        <Badge tone={tones[action]}>{words.actions[action]}</Badge>
      </h3>
      {reason !== null && (
        <p className="t13 i2">
          <bdi>{personReason(reason, boot.locale)}</bdi>
        </p>
      )}
      <ul className="mini-l">
        {records.map((record) => (
          <RecordLine key={record.id} category={category} record={record} />
        ))}
      </ul>
      {more > 0 && <p className="t13 i2">{words.more(more)}</p>}
    </section>
  )
}

function RecordLine({ category, record }: { readonly category: string; readonly record: FoundRecord }) {
  const { id, at, name, fields, executionId, workflowId } = record
  const place = placeOf(category, record)
  const label = name ?? shortId(id.split('/').at(-1) ?? id)
  return (
    <li>
      <span className="person-record">
        {place === undefined ? (
          <bdi>{label}</bdi>
        ) : (
          <Link to={place.to} search={place.search ?? {}} className="link">
            {executionId !== null && workflowId !== null ? <WorkflowName id={workflowId} /> : <bdi>{label}</bdi>}
          </Link>
        )}{' '}
        {executionId !== null && (
          <bdi className="mono t12 i3" title={executionId}>
            {shortId(executionId)}
          </bdi>
        )}{' '}
        {fields.length > 0 && (
          <span className="t13 i2">
            {words.foundIn} <bdi className="mono t12">{fields.join(', ')}</bdi>
          </span>
        )}
      </span>
      {at !== null && (
        <span className="t13 i2">
          <Time at={at} />
        </span>
      )}
    </li>
  )
}
