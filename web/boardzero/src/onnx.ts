// Residual nets: ONNX models that onnxruntime-web evaluates. It is large, and fetched only when the
// first such net is opened.

type Floats = Float32Array;

interface Tensor {
  data: unknown;
}
interface Session {
  run(feeds: Record<string, Tensor>): Promise<Record<string, Tensor>>;
}
interface Runtime {
  env: { wasm: { numThreads: number; wasmPaths: { wasm: string } }; logLevel: string };
  Tensor: new (type: "float32", data: Floats, dims: readonly number[]) => Tensor;
  InferenceSession: { create(model: Uint8Array, options: object): Promise<Session> };
}

/** A net that maps a batch of planes [rows, planes, height, width] to logits and values. */
export interface Net {
  evaluate(planes: Floats, shape: readonly number[]): Promise<{ policy: Floats; value: Floats }>;
}

let runtime: Promise<Runtime> | null = null;

/** `address` is that of the runtime's module, beside which its compiled part lies. */
export async function openNet(model: Uint8Array, address: string): Promise<Net> {
  runtime ??= start(address);
  const { Tensor, InferenceSession } = await runtime.catch((error: Error) => {
    runtime = null; // the next one to ask tries again
    throw new Error(`what evaluates this net cannot be loaded: ${error.message}`);
  });
  const session = await InferenceSession.create(model, { executionProviders: ["wasm"] }).catch(
    (error: Error) => {
      throw new Error(`the net cannot be read: ${error.message}`);
    },
  );
  return {
    async evaluate(planes, shape) {
      const { policy, value } = await session.run({ planes: new Tensor("float32", planes, shape) });
      if (!policy || !value) throw new Error("the net has no outputs named policy and value");
      return { policy: policy.data as Floats, value: value.data as Floats };
    },
  };
}

async function start(address: string): Promise<Runtime> {
  const found: Runtime = await import(/* @vite-ignore */ address);
  found.env.wasm.numThreads = 1; // the worker that it runs in
  // Node fetches no files: there the runtime itself finds what lies beside it.
  if (!address.startsWith("file:")) {
    found.env.wasm.wasmPaths = { wasm: new URL("ort-wasm-simd-threaded.wasm", address).href };
  }
  found.env.logLevel = "error";
  return found;
}
