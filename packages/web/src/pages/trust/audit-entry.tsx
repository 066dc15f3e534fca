import { Link } from '@tanstack/react-router'
import { AuditSentence, words } from '#src/pages/trust/audit-sentence.tsx'
import {
  actorName,
  chosenIn,
  type Entry,
  type Names,
  pairsIn,
  runOf,
  targetName,
  textIn,
  workflowIn,
} from '#src/pages/trust/sentence-of.ts'
import { Button } from '#src/ui/button.tsx'
import { CellLabel } from '#src/ui/cell-label.tsx'
import { exactTime } from '#src/values/format.ts'
import { JsonView } from '#src/values/json-view.tsx'

interface AuditEntryProps {
  readonly entry: Entry
  readonly names: Names
  /** Shows the entries of an actor or a target alone; not given where the list has one actor. */
  readonly only?: ((filter: 'actor' | 'target', id: string) => void) | undefined
}

/** Everything that the log has about an entry: who, what, on what, from where and when, and what changed; as recorded only on request. */
export function AuditEntry({ entry, names, only }: AuditEntryProps) {
  const { actor, target, ip, at, requestId, log, changes, details } = entry
  const run = runOf(entry)
  const workflow = workflowIn(details)
  const reason = textIn(details, 'reason')
  const chosen = chosenIn(details)
  const filter = pairsIn(details, 'filter')
  return (
    <div className="stack">
      <p>
        <AuditSentence entry={entry} names={names} />
      </p>
      <dl className="fact-list">
        <Fact name={words.who} id={actor} text={actorName(actor, names, words)} />
        {target !== null && (
          <Fact name={words.what} id={target} text={targetName(entry, names, words) ?? target} path={pathOf(entry, target)} />
        )}
        {workflow !== undefined && workflow !== target && (
          <Fact name={words.workflow} id={workflow} text={names[workflow] ?? workflow} path={pathOf(entry, workflow)} />
        )}
        {run !== undefined && run !== target && (
          <Fact name={words.run} id={run} text={targetName({ target: run, details }, names, words) ?? run} path={`/runs/${run}`} />
        )}
        {chosen !== '' && <Fact name={words.chosen} id={chosen} text={chosen} />}
        {filter !== '' && <Fact name={words.filter} id={filter} text={filter} />}
        {reason !== undefined && <Fact name={words.reason} id={reason} text={reason} />}
        {ip !== null && <Fact name={words.where} id={ip} text={ip} />}
        <Fact name={words.when} id={at} text={exactTime(at)} />
        {requestId !== null && <Fact name={words.request} id={requestId} text={requestId} />}
        {log !== null && <Fact name={words.entry} id={log.date} text={`${log.date} #${log.index}`} />}
      </dl>
      {changes !== null && <Changes changes={changes} />}
      {only !== undefined && (
        <div className="row wrap">
          <Button size="sm" onClick={() => only('actor', actor)}>
            {words.onlyWho}
          </Button>
          {target !== null && (
            <Button size="sm" onClick={() => only('target', target)}>
              {words.onlyWhat}
            </Button>
          )}
        </div>
      )}
      <details>
        <summary>{words.raw}</summary>
        <JsonView value={entry} />
      </details>
    </div>
  )
}

function Fact({
  name,
  id,
  text,
  path,
}: {
  readonly name: string
  readonly id: string
  readonly text: string
  readonly path?: string | undefined
}) {
  const shown = <bdi title={id}>{text}</bdi>
  return (
    <div>
      <dt>{name}</dt>
      <dd>{path === undefined ? shown : <Link to={path}>{shown}</Link>}</dd>
    </div>
  )
}

function Changes({ changes }: { readonly changes: NonNullable<Entry['changes']> }) {
  return (
    <section className="tablewrap">
      <table className="rows">
        <caption className="vh">{words.changed}</caption>
        <thead>
          <tr>
            <th scope="col">{words.member}</th>
            <th scope="col">{words.before}</th>
            <th scope="col">{words.after}</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(changes).map(([member, { before, after }]) => (
            <tr key={member}>
              <td data-phone="main">{member}</td>
              <td className="wrap-anywhere i2" data-phone="below">
                <CellLabel text={words.before} />
                {stateText(before)}
              </td>
              <td className="wrap-anywhere" data-phone="foot">
                <CellLabel text={words.after} />
                {stateText(after)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function stateText(value: unknown): string {
  if (value === undefined || value === null || value === '') return words.nothing
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The page of a thing, by the prefix of its id. An approval is on the page of its run. */
function pathOf(entry: Entry, id: string): string | undefined {
  const pages: Readonly<Record<string, string | undefined>> = {
    wf: 'workflows',
    exec: 'runs',
    trg: 'triggers',
    conn: 'connections',
    chn: 'chains',
    arun: 'agents',
    einv: 'e-invoices',
  }
  const prefix = id.slice(0, id.indexOf('_'))
  if (prefix === 'apr') {
    const run = runOf(entry)
    return run === undefined ? undefined : `/runs/${run}`
  }
  const page = pages[prefix]
  return page === undefined ? undefined : `/${page}/${id}`
}
