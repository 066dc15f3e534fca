export interface Instruction {
  readonly name: string
  readonly text: string
}

/** The instructions of a Dockerfile in order, continued lines joined. */
export function readDockerfile(source: string): Instruction[] {
  return source
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const end = line.indexOf(' ')
      return { name: line.slice(0, end).toUpperCase(), text: line.slice(end + 1).trim() }
    })
}

export interface Stage {
  readonly name: string
  readonly instructions: readonly Instruction[]
}

/** The stages, each with what follows its FROM. */
export function stagesOf(instructions: readonly Instruction[]): Stage[] {
  const stages: { name: string; instructions: Instruction[] }[] = []
  for (const instruction of instructions) {
    if (instruction.name === 'FROM') stages.push({ name: / AS (\S+)$/i.exec(instruction.text)?.[1] ?? '', instructions: [] })
    else stages.at(-1)?.instructions.push(instruction)
  }
  return stages
}
