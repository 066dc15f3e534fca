const process = 'is not available: a program here has no process around it, only its input and variables'

const reasons: ReadonlyMap<string, string> = new Map([
  ...['env/0', 'input/0', 'inputs/0', 'input_filename/0', 'input_line_number/0'].map((name) => [name, process] as const),
  ...['debug/0', 'debug/1', 'stderr/0', 'halt/0', 'halt_error/0', 'halt_error/1'].map((name) => [name, process] as const),
  ...['get_search_list/0', 'get_prog_origin/0', 'get_jq_origin/0', 'modulemeta/0'].map(
    (name) => [name, 'is not available: a program here stands alone and has no modules'] as const,
  ),
])

/** Why a built-in of jq is not offered; `undefined` for a name that jq does not know either. */
export function refusalOf(name: string, arity: number): string | undefined {
  const reason = reasons.get(`${name}/${arity}`)
  return reason === undefined ? undefined : `${name} ${reason}`
}

/** Built-ins that read the clock or the zone of the host; without a clock of the caller's they are refused. */
export const clockNames: ReadonlySet<string> = new Set(['now/0', 'localtime/0', 'strflocaltime/1'])

export function clockRefusal(name: string): string {
  return `${name} needs a clock: give compile() the option clock`
}
