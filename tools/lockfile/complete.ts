/** The used part of an entry of package-lock.json. */
export interface LockEntry {
  readonly version?: string
  readonly dev?: boolean
  readonly optional?: boolean
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly [field: string]: unknown
}

export type LockEntries = Readonly<Record<string, LockEntry>>

/** A package that some entry may install and that has no entry of its own. */
export interface Gap {
  readonly name: string
  readonly version: string
  readonly dev: boolean
}

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const processors = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64']

/**
 * Finds the builds for other platforms that a lockfile lacks.
 *
 * npm omits them if its registry does not contain them, and then `npm ci` considers the lockfile incomplete on
 * all platforms. npm never downloads builds of other platforms, so their names are sufficient.
 */
export function findGaps(entries: LockEntries): readonly Gap[] {
  return Object.values(entries).flatMap(({ dev = false, optionalDependencies = {} }) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !Object.keys(entries).some((path) => path.endsWith(`node_modules/${name}`)))
      .map(([name, version]) => ({ name, version, dev })),
  )
}

/** The entries with one more for each gap, in npm's order. @throws Error if a name contains no platform or a version is a range */
export function completeEntries(entries: LockEntries): LockEntries {
  const added = findGaps(entries).map((gap) => [`node_modules/${gap.name}`, entryFor(gap)] as const)
  const all = [...Object.entries(entries), ...added]
  return Object.fromEntries(all.toSorted(([one], [other]) => one.localeCompare(other, 'en')))
}

function entryFor({ name, version, dev }: Gap): LockEntry {
  const words = name.slice(name.indexOf('/') + 1).split('-')
  const os = systems.find((system) => words.includes(system))
  const cpu = processors.find((processor) => words.includes(processor))
  if (os === undefined || cpu === undefined || !/^\d+\.\d+\.\d+/.test(version)) {
    throw new Error(`package-lock.json lacks ${name} ${version}, which does not look like a build for one platform. Run "npm install".`)
  }
  const libc = words.includes('musl') ? 'musl' : words.some((word) => word.startsWith('gnu')) ? 'glibc' : undefined
  return {
    version,
    cpu: [cpu],
    ...(dev ? { dev } : {}),
    ...(libc === undefined ? {} : { libc: [libc] }),
    optional: true,
    os: [os],
  }
}
