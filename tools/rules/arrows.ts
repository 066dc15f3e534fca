import { type Layer, layers, reserved } from './layers.ts'
import type { Findings } from './rule.ts'
import type { Import, SourceFile, SourceTree } from './source-tree.ts'

/** Every import follows the arrows between packages and layers. Tests may import everything. */
export function checkArrows(tree: SourceTree): Findings {
  const files = tree.files.filter((file) => !file.isTest)
  const violations = files.flatMap((file) => {
    const layer = layerOf(file.path)
    if (layer === undefined) return [`${file.path} belongs to no layer of tools/rules/layers.ts`]
    return file.imports.flatMap((imported) => faultOf(file, layer, imported) ?? [])
  })
  return { seen: files.length, violations }
}

export function layerOf(path: string): Layer | undefined {
  return layers.find(({ files }) => files.test(path))
}

function faultOf(file: SourceFile, layer: Layer, imported: Import): string | undefined {
  const { target, specifier } = imported
  if (target.kind === 'file') {
    const other = layerOf(target.path)?.name ?? 'nothing known'
    const allowed = other === layer.name || layer.mayImport.includes(other)
    return allowed ? undefined : `${file.path} (${layer.name}) may not import ${specifier} (${other})`
  }
  if (layer.packages !== undefined && !layer.packages.test(target.name))
    return `${file.path} (${layer.name}) may not import the package ${target.name}`
  const place = reserved.find((entry) => entry.package.test(target.name))
  if (place === undefined || place.places.test(file.path)) return undefined
  return `${file.path} may not import the package ${target.name}, which belongs to ${place.places.source}`
}
