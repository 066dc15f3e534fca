import type { Json } from '@millrace/dsl'
import { useState } from 'react'
import { parseDocument, stringify } from 'yaml'
import { TextField } from '#src/editor/inspector/text-field.tsx'

interface YamlFieldProps {
  readonly label: string
  readonly pointer: string
  readonly value: Json | undefined
  readonly onCommit: (value: Json) => void
}

/** A value of any form, as YAML. */
export function YamlField({ label, pointer, value, onCommit }: YamlFieldProps) {
  const [problem, setProblem] = useState<string>()
  return (
    <>
      <TextField
        label={label}
        pointer={pointer}
        code
        yaml
        value={value === undefined ? '' : stringify(value, { lineWidth: 0 }).trimEnd()}
        onCommit={(text) => {
          const read = parseDocument(text)
          const [error] = read.errors
          setProblem(error?.message.split('\n')[0])
          if (error !== undefined) return
          const parsed: Json = read.toJS({ maxAliasCount: 0 })
          onCommit(parsed)
        }}
      />
      {problem !== undefined && <p className="t12 c-bad">{problem}</p>}
    </>
  )
}
