// Systems that people drop onto the page: a folder, or a zip of one.

/** Files by their paths. */
export type Files = Record<string, Uint8Array>

/** The files of a folder or a zip that was dropped; null if it was something else. Call it while the event lasts. */
export function droppedSystem(transfer: DataTransfer | null): Promise<Files> | null {
  const [item] = transfer?.items ?? []
  const entry = item?.webkitGetAsEntry?.() ?? null
  if (entry?.isDirectory) return filesIn(entry as FileSystemDirectoryEntry)
  const [file] = transfer?.files ?? []
  return file && isZip(file) ? zipped(file) : null
}

export const isZip = (file: File) => /\.zip$/i.test(file.name)

export const zipped = async (file: File): Promise<Files> => ({
  [file.name]: new Uint8Array(await file.arrayBuffer()),
})

async function filesIn(folder: FileSystemDirectoryEntry, path = `${folder.name}/`): Promise<Files> {
  const files: Files = {}
  for (const entry of await entriesOf(folder)) {
    if (entry.isDirectory)
      Object.assign(files, await filesIn(entry as FileSystemDirectoryEntry, `${path}${entry.name}/`))
    else files[path + entry.name] = await contentOf(entry as FileSystemFileEntry)
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

async function contentOf(entry: FileSystemFileEntry): Promise<Uint8Array> {
  const file = await new Promise<File>((done, failed) => entry.file(done, failed))
  return new Uint8Array(await file.arrayBuffer())
}
