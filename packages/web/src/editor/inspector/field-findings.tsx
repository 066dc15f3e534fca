import { FixButtons } from '#src/editor/fixing.tsx'
import { FindingText } from '#src/editor/finding-text.tsx'
import { LetStarterDecide } from '#src/editor/inspector/let-starter-decide.tsx'
import { useForm } from '#src/editor/inspector/form-context.ts'

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
    </div>
  ))
}
