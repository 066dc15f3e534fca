/** A step of a scenario: its text after the keyword, and the block of text below it. */
export interface Step {
  readonly text: string
  readonly block: string | undefined
}

export interface Scenario {
  readonly feature: string
  readonly name: string
  readonly steps: readonly Step[]
}

/** Reads what the conformance kit uses of Gherkin: features, scenarios, steps, doc strings, comments and tags. */
export function parseFeature(text: string): readonly Scenario[] {
  const scenarios: { feature: string; name: string; steps: { text: string; block: string | undefined }[] }[] = []
  let feature = ''
  let block: string[] | undefined
  for (const line of text.split(/\r?\n/)) {
    const trimmed = line.trim()
    const steps = scenarios.at(-1)?.steps
    if (trimmed.startsWith('"""')) {
      const step = steps?.at(-1)
      if (block !== undefined && step !== undefined) step.block = block.join('\n')
      block = block === undefined ? [] : undefined
    } else if (block !== undefined) block.push(line)
    else if (trimmed.startsWith('Feature:')) feature = trimmed.slice('Feature:'.length).trim()
    else if (trimmed.startsWith('Scenario:')) scenarios.push({ feature, name: trimmed.slice('Scenario:'.length).trim(), steps: [] })
    else if (steps !== undefined) {
      const step = /^(?:Given|When|Then|And|But)\s+(.*)$/.exec(trimmed)?.[1]
      if (step !== undefined) steps.push({ text: step.replace(/^given /, ''), block: undefined })
      else if (trimmed !== '' && !trimmed.startsWith('#') && !trimmed.startsWith('@')) throw new Error(`not understood: ${trimmed}`)
    }
  }
  if (block !== undefined) throw new Error('a block of text has no end')
  return scenarios
}
