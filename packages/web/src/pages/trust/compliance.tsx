import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { Loaded } from '#src/patterns/loaded.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Coded } from '#src/ui/coded.tsx'

const tones = { met: 'ok', partly_met: 'wait', not_met: 'bad' } as const

/** Articles of data protection laws: what is found here, and what is missing. */
export function Compliance() {
  const p = m.privacy
  const query = useQuery({ queryKey: ['privacy.compliance'], queryFn: () => api.privacy.compliance({ query: {} }) })
  return (
    <Loaded query={query}>
      {({ articles, summary }) => (
        <>
          <p className="row wrap">
            <Badge tone="ok">{`${p.lawStates.met} ${summary.met}`}</Badge>
            <Badge tone="wait">{`${p.lawStates.partly_met} ${summary.partlyMet}`}</Badge>
            <Badge tone="bad">{`${p.lawStates.not_met} ${summary.notMet}`}</Badge>
            <span className="t13 i2">{p.noAdvice}</span>
          </p>
          <ul className="articles">
            {articles.map(({ regulation, article, title, status, evidence, missing }) => (
              <li key={`${regulation}.${article}`} className="panel acard">
                <div className="row">
                  <h2 className="t14 bb grow">{`${regulation} ${article} · ${title}`}</h2>
                  <Badge tone={tones[status]}>{p.lawStates[status]}</Badge>
                </div>
                <ul className="t13 i2 plain-list">
                  {evidence.map((text) => (
                    <li key={text}>
                      <Coded text={text} />
                    </li>
                  ))}
                </ul>
                {missing.length > 0 && (
                  <>
                    <h3 className="t13 b">{p.toDo}</h3>
                    <ul className="t13 plain-list">
                      {missing.map((text) => (
                        <li key={text}>
                          <Coded text={text} />
                        </li>
                      ))}
                    </ul>
                  </>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </Loaded>
  )
}
