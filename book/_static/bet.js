// @ts-check
/** The reader's bet on a number of a demo, placed before the demo shows it; then the gap between the two. */
(() => {
  const { store } = window.course;

  class Bet {
    /** @param {HTMLFormElement} form @param {(values: object) => void} reveal shows the state the bet was on */
    constructor(form, reveal) {
      this.form = form;
      this.input = /** @type {HTMLInputElement} */ (form.querySelector("input"));
      this.gap = /** @type {HTMLElement} */ (form.querySelector(".bet-gap"));
      this.key = `bet/${form.dataset.bet}`;
      for (const field of form.elements) /** @type {HTMLInputElement} */ (field).disabled = false;
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        store.write(this.key, this.input.valueAsNumber);
        this.show(this.input.valueAsNumber);
        reveal(JSON.parse(form.dataset.values));
      });
      const earlier = store.read(this.key);
      if (typeof earlier === "number") this.show(earlier);
    }

    /** @param {number} bet */
    show(bet) {
      const answer = Number(this.form.dataset.answer);
      const said = this.form.querySelector(".bet-answer p")?.textContent ?? "";
      const off = bet - answer;
      const near = Math.abs(off) < 0.05 * this.span();
      const verdict = near ? "You saw it coming." : `You were ${off > 0 ? "above" : "below"} it.`;
      this.input.value = String(bet);
      this.gap.innerHTML = `<div class="gap-line" aria-hidden="true"><i class="gap-bar"></i><i class="gap-bet"></i><i class="gap-answer"></i></div><p></p>`;
      this.gap.querySelector("p").textContent = `You bet ${bet}; it is ${said}. ${verdict}`;
      const [left, right] = [this.place(Math.min(bet, answer)), this.place(Math.max(bet, answer))];
      const [bar, betMark, answerMark] = /** @type {NodeListOf<HTMLElement>} */ (this.gap.querySelectorAll("i"));
      Object.assign(bar.style, { left: `${left}%`, width: `${right - left}%` });
      betMark.style.left = `${this.place(bet)}%`;
      answerMark.style.left = `${this.place(answer)}%`;
      this.form.dataset.placed = "";
    }

    scale(value) {
      return "log" in this.form.dataset ? Math.log10(value) : value;
    }

    span() {
      return this.scale(Number(this.input.max)) - this.scale(Number(this.input.min));
    }

    /** @returns {number} where on the line a value stands, in percent */
    place(value) {
      return (100 * (this.scale(value) - this.scale(Number(this.input.min)))) / this.span();
    }
  }

  window.course.Bet = Bet;
})();
