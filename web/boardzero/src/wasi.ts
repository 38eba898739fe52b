// The little that the core asks of a system: a clock, and a place for last words.

const OK = 0;
const NOT_SUPPORTED = 58;

export function wasi(memory: () => WebAssembly.Memory): WebAssembly.ModuleImports {
  const view = () => new DataView(memory().buffer);
  const known: WebAssembly.ModuleImports = {
    clock_time_get(_clock: number, _precision: bigint, at: number) {
      view().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
      return OK;
    },
    proc_exit(code: number) {
      throw new Error(`the program ended with code ${code}`);
    },
  };
  // Whatever else the C library may ask for is not there.
  return new Proxy(known, { get: (own, name: string) => own[name] ?? (() => NOT_SUPPORTED) });
}
