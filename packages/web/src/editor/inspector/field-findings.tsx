import { jsonAt } from '#src/document/task-json.ts'
import type { Finding } from '#src/editor/diagnose.ts'
import { FixButtons } from '#src/editor/fixing.tsx'
import { FindingText } from '#src/editor/finding-text.tsx'
import { LetStarterDecide } from '#src/editor/inspector/let-starter-decide.tsx'
import { onDemand } from '#src/ui/on-demand.tsx'
import { useForm } from '#src/editor/inspector/form-context.ts'

const UseConnection = onDemand(() => import('#src/editor/inspector/connection/use-connection.tsx').then((module) => module.UseConnection))

/** What is wrong with the value at a pointer, with its correction. */
export function FieldFindings({ pointer }: { readonly pointer: string }) {
  const { findings } = useForm()
  return findings(pointer).map((finding) => (
    <div key={finding.message} className="row wrap">
      <p className={finding.severity === 'error' ? 't12 c-bad' : 't12 c-wait'}>
        <FindingText finding={finding} />
      </p>
      <FixButtons finding={finding} />
      <LetStarterDecide finding={finding} />
      <CredentialFix finding={finding} />
    </div>
  ))
}

/** A key in an HTTP request is better kept in a connection. */
function CredentialFix({ finding: { code, pointer = '' } }: { readonly finding: Finding }) {
  const { json } = useForm()
  const task = /^(.*?\/\d+\/[^/]+)\/with\/(?!.*\/do\/)/.exec(pointer)?.[1]
  const isRequest = code === 'plain_credential' && task !== undefined && jsonAt(json, `${task}/call`) === 'http'
  return isRequest ? <UseConnection task={task} icon="check" /> : null
}
