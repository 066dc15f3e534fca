import type { Finding } from '#src/editor/diagnose.ts'

/** What a finding says and advises; parts in backticks are code. */
export function FindingText({ finding: { message, hint } }: { readonly finding: Finding }) {
  return (
    <>
      {withCode(message)} {hint !== undefined && <span className="i2">{withCode(hint)}</span>}
    </>
  )
}

/** A text whose parts in backticks are code. */
export function withCode(text: string) {
  return text.split('`').map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>))
}
