// In Biome's format, which `npm run check` requires, every import and re-export starts at the beginning of a line. Between the
// keyword and `from` are only names, braces and commas, so neither pattern can match other code.
const statements = /^(?:import|export)\s+(?:type\s+)?(?:[\w$*]|[{},\s])+?\sfrom\s+'(?<specifier>[^'\n]+)'/gm
const bare = /^import\s+'(?<specifier>[^'\n]+)'/gm
const dynamic = /\bimport\(\s*'(?<specifier>[^'\n]+)'\s*\)/g

/** The specifiers of all imports and re-exports of a formatted TypeScript source, including those of types. */
export function importsOf(text: string): readonly string[] {
  return [statements, bare, dynamic].flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match.groups?.['specifier'] ?? ''))
}
