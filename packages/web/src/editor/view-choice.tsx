import { type View, views } from '#src/editor/use-view.ts'
import { m } from '#src/messages/messages.ts'

/** The views of a definition: as a flow, as a text, or both. */
export function ViewChoice({ view, onView }: { readonly view: View; readonly onView: (view: View) => void }) {
  const words = { flow: m.editor.flow, both: m.flowEditor.both, text: m.editor.text }
  return (
    <div className="seg" role="group" aria-label={m.flowEditor.views}>
      {views.map((key) => (
        <button
          key={key}
          type="button"
          data-view={key}
          className={key === view ? 'on' : ''}
          aria-pressed={key === view}
          onClick={() => onView(key)}
        >
          {words[key]}
        </button>
      ))}
    </div>
  )
}
