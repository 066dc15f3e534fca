import type { groups, Reply } from '@millrace/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { t } from '#src/pages/operate/mail-texts.ts'
import { Button } from '#src/ui/button.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { LocalOnly } from '#src/ui/local-only.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'
import { Time } from '#src/ui/time.tsx'

type System = Reply<(typeof groups)['health']['system']>
type Tested = Reply<(typeof groups)['health']['testMail']>

/** Whether mails go out, and a test mail to the person who looks. */
export function Mail({ system: { mailTrouble, providers, address } }: { readonly system: System }) {
  const queries = useQueryClient()
  const test = useMutation({
    mutationFn: () => api.health.testMail({}),
    onSettled: () => queries.invalidateQueries({ queryKey: ['system'] }),
  })
  const isConfigured = providers.some(({ name, configured }) => name === 'mail' && configured)
  return (
    <section className="band">
      <h2 className="t20">{t.title}</h2>
      {mailTrouble !== null && (
        <div className="verdict bad" role="status">
          <Icon name="warn" />
          <div className="grow">
            <p className="b">
              {t.trouble(mailTrouble.failures)} <Time at={mailTrouble.since} kind="ago" />
            </p>
            <p className="t13">
              <bdi>{mailTrouble.reason}</bdi>
            </p>
          </div>
        </div>
      )}
      <p className="i2">{isConfigured ? t.text : t.outcomes.not_configured}</p>
      {isConfigured && (
        <>
          <p className="i2">
            {t.links} <bdi className="mono">{address}</bdi>
          </p>
          <LocalOnly url={address} />
          <div className="row">
            <Button busy={test.isPending} onClick={() => test.mutate()}>
              {t.test}
            </Button>
          </div>
        </>
      )}
      {test.data !== undefined && <Result tested={test.data} />}
      {test.isError && <ProblemPanel error={test.error} />}
    </section>
  )
}

function Result({ tested: { outcome, to, server, answer } }: { readonly tested: Tested }) {
  const isSent = outcome === 'sent'
  return (
    <div className={isSent ? 'verdict ok' : 'verdict bad'} role="status">
      <Icon name={isSent ? 'check' : 'warn'} />
      <div className="grow">
        <p className="b">{isSent ? t.sent(to) : t.outcomes[outcome]}</p>
        {answer !== null && (
          <p className="t13">
            {t.answer(server ?? '')} <bdi className="mono said">{answer}</bdi>
          </p>
        )}
      </div>
    </div>
  )
}
