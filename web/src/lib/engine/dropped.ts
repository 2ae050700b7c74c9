// Systems that people drop onto the page: a folder, or a zip of one.

/** Files by their paths. */
export type Files = Record<string, Uint8Array>

/** The largest size of a system, in bytes: as much as the engine takes. */
const LARGEST = 4 * 1024 ** 2
/** What lies beside the files of a system. */
const BESIDE = /^(\.|__pycache__$)/

class TooLarge extends Error {
  constructor() {
    super('It is too large for a system: expected at most 4 MB')
  }
}

/** The files of a folder or a zip that was dropped; null if it was something else. Call it while the event lasts. */
export function droppedSystem(transfer: DataTransfer | null): Promise<Files> | null {
  const [item] = transfer?.items ?? []
  const entry = item?.webkitGetAsEntry?.() ?? null
  if (entry?.isDirectory) return filesIn(entry as FileSystemDirectoryEntry)
  const [file] = transfer?.files ?? []
  return file && isZip(file) ? readZip(file) : null
}

export const isZip = (file: File) => /\.zip$/i.test(file.name)

export async function readZip(file: File): Promise<Files> {
  if (file.size > LARGEST) throw new TooLarge()
  return { [file.name]: new Uint8Array(await file.arrayBuffer()) }
}

/** Every file in a folder and in those inside it. */
async function filesIn(folder: FileSystemDirectoryEntry): Promise<Files> {
  const files: Files = {}
  const folders: [string, FileSystemDirectoryEntry][] = [[`${folder.name}/`, folder]]
  let size = 0
  for (const [path, inner] of folders) {
    for (const entry of await entriesOf(inner)) {
      if (BESIDE.test(entry.name)) continue
      if (entry.isDirectory) {
        folders.push([`${path}${entry.name}/`, entry as FileSystemDirectoryEntry])
        continue
      }
      const file = await fileOf(entry as FileSystemFileEntry)
      size += file.size
      if (size > LARGEST) throw new TooLarge()
      files[path + entry.name] = new Uint8Array(await file.arrayBuffer())
    }
  }
  return files
}

/** A browser lists a folder in pieces. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed))
    if (!some.length) return all
    all.push(...some)
  }
}

const fileOf = (entry: FileSystemFileEntry) => new Promise<File>((done, failed) => entry.file(done, failed))
