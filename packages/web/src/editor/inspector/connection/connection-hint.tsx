import { UseConnection } from '#src/editor/inspector/connection/use-connection.tsx'
import { m } from '#src/messages/messages.ts'

/** The way from an HTTP request to one with the login, token or key of a connection. */
export function ConnectionHint({ task }: { readonly task: string }) {
  return (
    <div className="row wrap">
      <p className="t12 i3">{m.flowEditor.connectionHint}</p>
      <UseConnection task={task} />
    </div>
  )
}
