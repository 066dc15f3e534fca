import type { groups, Reply } from '@millrace/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { Loaded } from '#src/patterns/loaded.tsx'
import { useIsAdmin } from '#src/session/use-is-admin.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Coded } from '#src/ui/coded.tsx'

type Article = Reply<(typeof groups)['privacy']['compliance']>['articles'][number]
type Check = Article['unmet'][number]

const tones = { met: 'ok', partly_met: 'wait', not_met: 'bad' } as const

/** Where a person does what a check asks for; what has no page is done outside, or by who runs the installation. */
const pages: Partial<Record<Check, { readonly to: string; readonly name: keyof typeof m.privacy.remedyPages }>> = {
  purposes: { to: '/privacy?view=policies', name: 'policies' },
  minimises: { to: '/privacy?view=policies', name: 'policies' },
  policyRetention: { to: '/privacy?view=policies', name: 'policies' },
  decisions: { to: '/privacy?view=policies', name: 'policies' },
  retention: { to: '/settings/account', name: 'account' },
  mfa: { to: '/settings/account', name: 'account' },
  receipts: { to: '/settings/data', name: 'consents' },
  transfers: { to: '/settings/data', name: 'consents' },
  records: { to: '/audit', name: 'audit' },
}
const ofOperator: ReadonlySet<Check> = new Set(['audit', 'transport', 'region'])

/** Articles of data protection laws: what is to be done first, then each article with what is found here. */
export function Compliance() {
  const p = m.privacy
  const query = useQuery({ queryKey: ['privacy.compliance'], queryFn: () => api.privacy.compliance({ query: {} }) })
  return (
    <Loaded query={query}>
      {({ articles }) => (
        <>
          <p className="t13 i2">{p.noAdvice}</p>
          <ToDo articles={articles} />
          <Articles articles={articles} />
        </>
      )}
    </Loaded>
  )
}

/** Each thing to do once, with the articles that ask for it; what most of them ask for comes first. */
function ToDo({ articles }: { readonly articles: readonly Article[] }) {
  const p = m.privacy
  const open = Map.groupBy(
    articles.flatMap((article) => article.unmet.map((check) => ({ check, article }))),
    ({ check }) => check,
  )
  const all = [...open].toSorted(([, one], [, other]) => other.length - one.length)
  if (all.length === 0) return <p className="row c-ok">{p.nothingOpen}</p>
  return (
    <section className="panel acard">
      <h2 className="t16 bb">{p.toDo}</h2>
      <ol className="law-todo">
        {all.map(([check, asking]) => (
          <li key={check}>
            <span className="grow">
              {p.remedies[check]}
              <span className="blk t12 i3">
                {asking.map(({ article: { regulation, article } }) => (
                  <bdi key={`${regulation} ${article}`}>{`${regulation} ${article}`}</bdi>
                ))}
              </span>
            </span>
            <Where check={check} />
          </li>
        ))}
      </ol>
    </section>
  )
}

function Where({ check }: { readonly check: Check }) {
  const p = m.privacy
  const page = pages[check]
  const isAdmin = useIsAdmin()
  if (page !== undefined && (isAdmin || page.name === 'audit'))
    return (
      <Link to={page.to} className="btn sm">
        {p.remedyPages[page.name]}
      </Link>
    )
  return ofOperator.has(check) ? <span className="t12 i3">{p.remedyPages.operator}</span> : null
}

function Articles({ articles }: { readonly articles: readonly Article[] }) {
  const p = m.privacy
  const [isOpenOnly, setOpenOnly] = useState(false)
  const laws = Map.groupBy(articles, ({ regulation }) => regulation)
  return (
    <>
      <div className="row law-filter">
        <label className="row t13">
          <input
            type="checkbox"
            role="switch"
            className="switch"
            checked={isOpenOnly}
            onChange={({ target }) => setOpenOnly(target.checked)}
          />
          {p.onlyOpen}
        </label>
      </div>
      <div className="laws">
        {[...laws].map(([law, all]) => (
          <section key={law} className="panel acard">
            <div className="row wrap">
              <h2 className="t16 bb grow">{p.regulations[law]}</h2>
              <span className="t13 i2">{p.metOf(all.filter(({ status }) => status === 'met').length, all.length)}</span>
            </div>
            {all
              .filter(({ status }) => !isOpenOnly || status !== 'met')
              .map((article) => (
                <One key={article.article} article={article} />
              ))}
          </section>
        ))}
      </div>
    </>
  )
}

function One({ article: { regulation, article, title, status, evidence, unmet } }: { readonly article: Article }) {
  const p = m.privacy
  return (
    <details className="law">
      <summary>
        <span className="law-title">
          <bdi className="num i2">{article}</bdi> <bdi>{p.articleTitles[`${regulation} ${article}`] ?? title}</bdi>
        </span>
        <Badge tone={tones[status]}>{p.lawStates[status]}</Badge>
      </summary>
      <ul className="t13 i2 plain-list">
        {evidence.map((text) => (
          <li key={text}>
            <Coded text={text} />
          </li>
        ))}
      </ul>
      {unmet.length > 0 && (
        <>
          <h3 className="t13 b">{p.toDo}</h3>
          <ul className="t13 plain-list">
            {unmet.map((check) => (
              <li key={check}>{p.remedies[check]}</li>
            ))}
          </ul>
        </>
      )}
    </details>
  )
}
