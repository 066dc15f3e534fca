import type { groups, Reply } from '@millrace/contract'
import { t } from '#src/pages/marketplace/texts.ts'
import { Rating } from '#src/pages/marketplace/rating.tsx'
import { day, number } from '#src/values/format.ts'

type Details = Reply<(typeof groups)['marketplace']['get']>

/** Where an entry comes from, and its versions. */
export function EntryFacts({ entry }: { readonly entry: Details }) {
  const k = t
  const facts = [
    [k.author, entry.author],
    [k.licence, entry.licence],
    [k.version, String(entry.version)],
    [k.importsTitle, number(entry.imports)],
    [k.changed, day(entry.updatedAt)],
  ] as const
  return (
    <section className="panel acard">
      <h2 className="t16 bb">{k.origin}</h2>
      <Rating rating={entry.rating} ratings={entry.ratings} />
      <dl className="fact-list">
        {facts.map(([word, value]) => (
          <div key={word}>
            <dt>{word}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
        <div>
          <dt>{k.checksum}</dt>
          <dd>
            <bdi className="mono t12">{entry.checksum}</bdi>
          </dd>
        </div>
      </dl>
      <h3 className="t13 b">{k.releases}</h3>
      <ul className="needs-list">
        {entry.releases.map(({ version, notes, publishedAt }) => (
          <li key={version}>
            <p className="row">
              <b className="num">{version}</b>
              <span className="i3">{day(publishedAt)}</span>
            </p>
            {notes !== '' && <p className="i2 prewrap">{notes}</p>}
          </li>
        ))}
      </ul>
    </section>
  )
}
