import { type ReactNode } from 'react'
import { FlowPicture } from '#src/importing/flow-picture.tsx'
import { m } from '#src/messages/messages.ts'
import { Markdown } from '#src/values/markdown.tsx'

interface PreviewProps {
  readonly definition: unknown
  readonly definitionText: string
  readonly readme: string
  /** At the inline end: the form and the permissions. */
  readonly aside: ReactNode
}

/** The drawing, text and description of a workflow that can be taken over. */
export function Preview({ definition, definitionText, readme, aside }: PreviewProps) {
  return (
    <div className="preview">
      <div className="preview-main">
        <section className="panel preview-flow">
          <FlowPicture definition={definition} />
        </section>
        <details className="panel preview-text">
          <summary className="b">{m.importing.asText}</summary>
          <pre className="json" dir="ltr" tabIndex={0}>
            {definitionText}
          </pre>
        </details>
        <Markdown text={withoutDrawing(readme)} />
      </div>
      <aside className="preview-aside">{aside}</aside>
    </div>
  )
}

/** The description without its title and drawing, which the page shows itself. */
function withoutDrawing(readme: string): string {
  return readme.replace(/^# .*\n/, '').replace(/\n#+ Flow\n+```text\n[\s\S]*?\n```/, '')
}
