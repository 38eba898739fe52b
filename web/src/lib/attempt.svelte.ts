// Work that somebody asked for and that may be refused.

export class Attempt {
  busy = $state(false);
  error = $state(""); // the sentence of the last one, if it was refused

  async run(work: () => Promise<unknown>) {
    [this.busy, this.error] = [true, ""];
    try {
      await work();
    } catch (reason) {
      this.error = (reason as Error).message;
    }
    this.busy = false;
  }
}
